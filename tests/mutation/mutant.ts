/** One rule of the product, broken. `from` occurs exactly once in `file`; `tests` are the folders or files that should notice. */
export type Mutant = { rule: string; file: string; from: string; to: string; tests: string[] }
