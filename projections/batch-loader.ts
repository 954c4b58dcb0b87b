/**
 * Batches questions: those that arrive while a batch runs go into the next one. Answers come in the order of
 * the questions. If a batch fails, each question is tried alone, so that one cannot fail the others.
 */
export function createBatchLoader<Question, Answer>(
  act: (questions: Question[]) => Promise<Answer[]>,
  most = 200,
): (question: Question) => Promise<Answer> {
  type Waiting = { question: Question; done: (answer: Answer) => void; failed: (error: unknown) => void }
  const queue: Waiting[] = []
  let busy = false

  async function settle(some: Waiting[]): Promise<void> {
    try {
      const answers = await act(some.map(({ question }) => question))
      for (const [i, { done }] of some.entries()) done(answers[i]!)
    } catch (error) {
      if (some.length === 1) some[0]!.failed(error)
      else for (const one of some) await settle([one])
    }
  }
  async function flush(): Promise<void> {
    busy = true
    await null // waits for questions of the same tick
    while (queue.length > 0) await settle(queue.splice(0, most))
    busy = false
  }
  return (question) =>
    new Promise((done, failed) => {
      queue.push({ question, done, failed })
      if (!busy) void flush()
    })
}

/** A batch loader per store. */
export function createStoreBatchLoader<Store extends object, Question, Answer>(
  act: (store: Store, questions: Question[]) => Promise<Answer[]>,
): (store: Store, question: Question) => Promise<Answer> {
  const readers = new WeakMap<Store, (question: Question) => Promise<Answer>>()
  return (store, question) => {
    const reader = readers.get(store) ?? createBatchLoader((questions: Question[]) => act(store, questions))
    readers.set(store, reader)
    return reader(question)
  }
}
