/** The address of a search for a text in all messages. It is apart, because the first page needs nothing else of it. */
export const searchPage = (text: string): string => `/search?${new URLSearchParams({ q: text.trim() })}`
