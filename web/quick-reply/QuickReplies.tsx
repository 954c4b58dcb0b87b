export const QuickReplies = () => null
