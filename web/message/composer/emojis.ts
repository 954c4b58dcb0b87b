/** R-MSG-06: six quick choices; the search finds the others. */
export const quick = ['👍', '❤️', '😂', '😮', '😢', '🙏'] as const
