// quadrille for C#, by P/Invoke: what include/quadrille.h declares, as far as boxes in float need it.
using System;
using System.Runtime.InteropServices;

public struct Box {
  public float X0, Y0, X1, Y1;
  public Box(float x0, float y0, float x1, float y1) { X0 = x0; Y0 = y0; X1 = x1; Y1 = y1; }
}

[StructLayout(LayoutKind.Sequential)]
public struct Pair { public uint A, B; }

public sealed class QuadrilleException : Exception {
  public QuadrilleException(string message) : base(message) {}
}

// Boxes under ids, which are their places in the array.
public sealed class Boxes : IDisposable {
  ulong handle;

  public Boxes(Box[] boxes, string structure = "frame-tree") {
    WithRows(boxes, rows => Native.quadrille_boxes_new(structure, rows, out handle));
  }

  // Replaces all boxes: from now on there are exactly these.
  public void Update(Box[] boxes) { WithRows(boxes, rows => Native.quadrille_boxes_update(handle, rows)); }

  public Pair[] Pairs() {
    Check(Native.quadrille_boxes_pairs(handle, IntPtr.Zero));
    var kept = Kept();
    return Copy<Pair>(kept.Pairs, kept.PairCount);
  }

  // Contacts that began and ended since the last call.
  public void Events(out Pair[] began, out Pair[] ended) {
    Check(Native.quadrille_boxes_events(handle, IntPtr.Zero, IntPtr.Zero));
    var kept = Kept();
    began = Copy<Pair>(kept.Began, kept.BeganCount);
    ended = Copy<Pair>(kept.Ended, kept.EndedCount);
  }

  // The ids of the boxes that overlap a box.
  public uint[] Query(Box box) {
    WithRows(new[] { box }, rows =>
        Native.quadrille_boxes_query(handle, rows, uint.MaxValue, IntPtr.Zero, IntPtr.Zero));
    var kept = Kept();
    return Copy<uint>(kept.Ids, kept.IdCount);
  }

  public void Dispose() {
    if (handle != 0) Native.quadrille_boxes_free(handle);
    handle = 0;
    GC.SuppressFinalize(this);
  }

  ~Boxes() { Dispose(); }

  Native.Kept Kept() {
    Native.Kept kept;
    Check(Native.quadrille_boxes_kept(handle, out kept));
    return kept;
  }

  static void WithRows(Box[] boxes, Func<Native.Rows, int> call) {
    var pin = GCHandle.Alloc(boxes, GCHandleType.Pinned);
    try {
      Check(call(new Native.Rows { First = pin.AddrOfPinnedObject(), Count = (UIntPtr)boxes.Length, Numbers = 4 }));
    } finally {
      pin.Free();
    }
  }

  static T[] Copy<T>(IntPtr first, UIntPtr count) where T : struct {
    var all = new T[(int)count];
    int size = Marshal.SizeOf(typeof(T));
    for (int at = 0; at < all.Length; at++) all[at] = (T)Marshal.PtrToStructure(first + at * size, typeof(T));
    return all;
  }

  static void Check(int status) {
    if (status != 0) throw new QuadrilleException(Marshal.PtrToStringAnsi(Native.quadrille_error_text()));
  }

  static class Native {
    [StructLayout(LayoutKind.Sequential)]
    public struct Rows {
      public IntPtr First;
      public UIntPtr Count, Stride;
      public uint Scalar, Numbers;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Kept {
      public IntPtr Ids; public UIntPtr IdCount;
      public IntPtr Counts; public UIntPtr QueryCount;
      public IntPtr Distances; public UIntPtr DistanceCount;
      public IntPtr Normals;
      public IntPtr Pairs; public UIntPtr PairCount;
      public IntPtr Began; public UIntPtr BeganCount;
      public IntPtr Ended; public UIntPtr EndedCount;
    }

    [DllImport("quadrille")] public static extern IntPtr quadrille_error_text();
    [DllImport("quadrille")] public static extern int quadrille_boxes_new(string structure, Rows rows, out ulong boxes);
    [DllImport("quadrille")] public static extern int quadrille_boxes_free(ulong boxes);
    [DllImport("quadrille")] public static extern int quadrille_boxes_update(ulong boxes, Rows rows);
    [DllImport("quadrille")] public static extern int quadrille_boxes_pairs(ulong boxes, IntPtr pairs);
    [DllImport("quadrille")] public static extern int quadrille_boxes_events(ulong boxes, IntPtr began, IntPtr ended);
    [DllImport("quadrille")]
    public static extern int quadrille_boxes_query(ulong boxes, Rows rows, uint layers, IntPtr counts, IntPtr ids);
    [DllImport("quadrille")] public static extern int quadrille_boxes_kept(ulong boxes, out Kept kept);
  }
}
