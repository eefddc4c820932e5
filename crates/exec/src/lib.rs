//! The one executor: state and step to states, generic over the value domain.
