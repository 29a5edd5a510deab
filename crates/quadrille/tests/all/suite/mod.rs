//! One suite for all structures, over all scalars: what holds for brute force holds for each of them.
//!
//! Each test is a generic function, named as the sentence it proves; `suite!` makes of it one test a structure, over
//! `f32`, or over another scalar in a sweep of that scalar. A structure that is new needs a line in `subjects.rs`.

mod bad_input;
mod bounded;
mod hostile;
#[cfg(not(any(quadrille_every_container, quadrille_other_scalar)))]
mod lengths;
mod random;
#[cfg(feature = "snapshot")]
mod snapshots;

/// The sentences, proved for one structure over one scalar.
macro_rules! sentences {
    ($structure:ty: $($module:ident::{$($sentence:ident),* $(,)?})*) => {
        $($(
            #[test]
            fn $sentence() {
                crate::suite::$module::$sentence(&crate::subjects::Subject::of::<$structure>());
            }
        )*)*
    };
}

/// A module a structure, in it a module for the scalar, in it a test a sentence.
macro_rules! suite {
    (; $($name:ident $structure:ident $(($options:ident: $type:ident))?, $what:literal;)*) => {
        $(mod $name {
            suite!($structure);
        })*
    };
    ($structure:ident) => {
        for_one_scalar! {
            use quadrille::structures::$structure;

            sentences! { $structure<S>:
                bad_input::{
                    boxes_that_cannot_be_stored_are_refused_by_name_and_change_nothing,
                    a_bad_box_in_a_list_is_named_by_its_position,
                    queries_that_are_inside_out_or_nan_find_nothing,
                }
                bounded::{
                    giants_that_cover_everything_stay_within_bounds,
                    piles_stay_within_bounds,
                    bundles_of_needles_stay_within_bounds,
                    extremes_of_the_number_type_stay_within_bounds,
                    reserving_makes_room_and_clearing_keeps_it,
                    a_few_giants_do_not_degenerate_the_structure,
                    gaps_among_the_ids_do_not_blind_the_fit,
                }
                hostile::{
                    answers_are_what_the_queries_say,
                    a_narrow_world_costs_as_little_as_a_square_one,
                    nothing_is_found_on_the_wrong_side_of_zero,
                    a_world_of_odd_size_has_no_gaps,
                    boxes_that_end_or_start_on_a_dividing_line_are_found_from_both_sides,
                    removing_twice_gives_nothing_and_harms_nothing,
                    one_maintain_collapses_an_emptied_index,
                    memory_does_not_grow_under_churn,
                    a_clone_is_equal_and_independent,
                    a_box_or_pair_that_spans_many_cells_is_reported_once,
                    a_box_in_the_empty_corner_of_a_grown_cell_is_found,
                    worlds_away_from_the_origin_lose_nothing,
                    a_query_in_an_empty_corner_looks_at_little,
                    boxes_and_queries_outside_the_world_are_held_and_answered,
                    updating_an_unknown_id_is_an_error_and_changes_nothing,
                    a_world_that_is_no_multiple_of_a_cell_is_covered_to_its_edge,
                    a_box_that_moves_is_found_at_its_new_place_only,
                    boxes_that_move_onto_dividing_lines_are_found_from_both_sides,
                    needle_thin_queries_at_the_corners_of_boxes_find_them,
                    touching_is_overlapping_and_a_point_finds_itself,
                    no_division_loses_what_was_there_before,
                    a_box_ends_exactly_where_it_ends,
                    the_same_calls_give_the_same_answers_in_the_same_order,
                    the_same_box_many_times_is_many_boxes,
                    empty_and_single_indices_answer_everything,
                    nodes_show_true_rectangles_and_every_listing,
                    threads_ask_at_once_and_get_the_same_answers,
                }
                random::{
                    every_query_matches_brute_force_after_every_step,
                    a_clone_lives_on_as_the_original,
                    bulk_building_and_inserting_one_by_one_give_the_same_answers,
                }
            }

            #[cfg(feature = "snapshot")]
            sentences! { $structure<S>:
                snapshots::{
                    a_restored_index_lives_on_as_the_original,
                    a_text_format_restores_what_a_binary_one_does,
                    tampered_content_is_refused_or_sound,
                    numbers_that_are_none_are_refused_or_sound,
                    forged_links_and_lengths_are_refused_or_sound,
                    bytes_cut_short_or_changed_are_refused_by_name,
                    boasting_lengths_are_refused,
                }
            }
        }
    };
}

quadrille::structures!(suite!);

/// It hands everything on to one of the others, whatever the scalar; each of them is compiled into every sentence.
#[cfg(not(quadrille_other_scalar))]
mod any_structure {
    suite!(AnyStructure);
}
