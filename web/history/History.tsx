export const History = () => null
