import { Counter } from 'prom-client'

/** What providers told us by webhook, by what became of it; shown at /metrics. */
export const webhookEvents = new Counter({
  name: 'guiche_webhook_events_total',
  help: 'What providers told by webhook, by what became of it.',
  labelNames: ['channel', 'outcome'],
  registers: [],
})
