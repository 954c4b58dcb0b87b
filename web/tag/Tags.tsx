export const Tags = () => null
