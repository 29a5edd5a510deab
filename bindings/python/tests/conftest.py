"""Few examples a test, the same ones every time: thousands run under `--hypothesis-profile=deep`."""

from hypothesis import HealthCheck, settings

# Parametrised tests share an inner function: hypothesis takes that for a mistake.
quiet = [HealthCheck.too_slow, HealthCheck.differing_executors]
settings.register_profile("quick", max_examples=40, deadline=None, derandomize=True, suppress_health_check=quiet)
settings.register_profile("deep", max_examples=3000, deadline=None, suppress_health_check=quiet)
settings.load_profile("quick")
