/**
 * What is asked while the last answer is under way goes together into the next one: a disk, or a round trip, serves many at once.
 * Answers come in the order of the questions. Where many fail together each is tried alone, so that one cannot fail its neighbours.
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
    await null // those of the same moment go along
    while (queue.length > 0) await settle(queue.splice(0, most))
    busy = false
  }
  return (question) =>
    new Promise((done, failed) => {
      queue.push({ question, done, failed })
      if (!busy) void flush()
    })
}

/** The same for a question that is asked of one store or another. */
export function gatheredBy<Store extends object, Question, Answer>(
  act: (store: Store, questions: Question[]) => Promise<Answer[]>,
): (store: Store, question: Question) => Promise<Answer> {
  const readers = new WeakMap<Store, (question: Question) => Promise<Answer>>()
  return (store, question) => {
    const reader = readers.get(store) ?? createBatchLoader((questions: Question[]) => act(store, questions))
    readers.set(store, reader)
    return reader(question)
  }
}
