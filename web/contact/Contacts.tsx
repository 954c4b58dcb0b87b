export const Contacts = () => null
