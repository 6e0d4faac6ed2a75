import ImmutableJSON

extension Domain {
  /// Throws ``EngineError`` (`invalidArgument`) if the description of an effect of the program
  /// contradicts the types of its arguments or of its result.
  ///
  /// Decodes samples and encodes them again, as ``checkActions()`` does.
  static func checkEffects() throws(EngineError) {
    for effect in self.programEffects {
      let parts = [
        ("arguments", effect.arguments, effect.recodeArguments),
        ("result", effect.result, effect.recodeResult),
      ]
      for (subject, schema, recode) in parts {
        guard let problem = problem(of: subject, schema, recode) else { continue }
        throw EngineError(
          .invalidArgument,
          "the domain \(quoted(self.name)) describes the effect \(quoted(effect.name)), but its "
            + "type \(problem); correct the description or the type")
      }
    }
  }
}

/// A phrase for the first sample that the type rejects or encodes in another shape.
private func problem(
  of subject: String, _ schema: Schema?, _ recode: (Value) throws -> Value
) -> String? {
  for sample in schema?.samples ?? [.null] {
    let recoded: Value
    do {
      recoded = try recode(sample)
    } catch let error as DecodingError where error.contradicts(schema ?? .any, after: 0) {
      return "does not decode \(error.reason(in: subject, after: 0))"
    } catch {
      continue  // The type rejects the content of the sample, which the schema does not describe.
    }
    do {
      try schema?.check(recoded, subject)
    } catch {
      return "encodes another shape: \(error)"
    }
  }
  return nil
}
