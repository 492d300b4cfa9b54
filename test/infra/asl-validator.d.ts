declare module 'asl-validator' {
  interface Verdict {
    readonly isValid: boolean;
    readonly errors: readonly unknown[];
  }
  /** Checks the shape of a definition, which it also writes to. */
  function validate(definition: object): Verdict;
  export = validate;
}
