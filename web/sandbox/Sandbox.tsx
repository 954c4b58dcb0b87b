export const Sandbox = () => null
