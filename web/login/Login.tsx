export const Login = () => null
