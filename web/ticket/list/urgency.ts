/** Minutes after which a waiting time is marked as due and as late. */
export type Limits = { due: number; late: number }
export const urgency = (minutes: number, { due, late }: Limits): 'fresh' | 'due' | 'late' =>
  minutes >= late ? 'late' : minutes >= due ? 'due' : 'fresh'
