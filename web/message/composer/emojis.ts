/** R-MSG-06: six at hand, about seventy in full. */
export const quick = ['👍', '❤️', '😂', '😮', '😢', '🙏'] as const
export const emojis = [
  ...'😀 😃 😄 😁 😆 😅 🤣 😂 🙂 🙃 😉 😊 😇 🥰 😍 😘 😋 😜 🤗 🤔 🤝 😐 😏 🙄 😬 😌 😔 😴 😷 🤒 😎 🤓 😕 😟 😮 😳 🥺 😢 😭 😱 😤 😡 👍 👎 👌 ✌️ 🤞 🙏 👏 🙌 💪 👋 👀 ❤️ 🧡 💛 💚 💙 💜 💔 🔥 ✨ 🎉 🎁 ⭐ ✅ ❌ ⚠️ ⏰ 📦 📍 💰'.split(
    ' ',
  ),
]
