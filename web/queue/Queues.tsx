export const Queues = () => null
