"""The commands of `pbem`, one module each: arguments in, an `Outcome` out."""
