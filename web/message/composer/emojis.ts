/** R-MSG-06: six at hand; the rest is searched. */
export const quick = ['👍', '❤️', '😂', '😮', '😢', '🙏'] as const
