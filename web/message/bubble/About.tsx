import type { MessageRow } from '#domain/message/contract.ts'
import { useWords, words } from '#web/i18n.ts'
import css from './Bubble.module.css'

export const aboutWords = words({
  story: ['Resposta ao story', 'Reply to the story', 'Respuesta a la historia', 'Hikâyeye yanıt'],
  mention: ['Menção em um story', 'Mention in a story', 'Mención en una historia', 'Bir hikâyede bahsetme'],
  ad: ['Veio de um anúncio', 'Came from an ad', 'Llegó por un anuncio', 'Bir reklamdan geldi'],
  link: ['Veio de um link', 'Came from a link', 'Llegó por un enlace', 'Bir bağlantıdan geldi'],
  kind: ['Tipo de mensagem não reconhecido', 'Message type not recognised', 'Tipo de mensaje no reconocido', 'Tanınmayan mesaj türü'],
  quote: ['Em resposta a', 'In reply to', 'En respuesta a', 'Yanıtlanan mesaj'],
  ourQuote: ['Em resposta à empresa', 'In reply to the company', 'En respuesta a la empresa', 'Şirketin yanıtlanan mesajı'],
  contactQuote: ['Em resposta ao contato', 'In reply to the contact', 'En respuesta al contacto', 'Kişinin yanıtlanan mesajı'],
  status: ['Resposta ao status', 'Reply to a status', 'Respuesta al estado', 'Duruma yanıt'],
  optin: ['Aceitou receber mensagens', 'Agreed to receive messages', 'Aceptó recibir mensajes', 'Mesaj almayı kabul etti'],
})

/** The ad, product or story that a contact’s message refers to. */
export function About({ of: { of, title, text, url } }: { of: NonNullable<MessageRow['about']> }) {
  const t = useWords(aboutWords)
  const parts = [title, text].filter((part) => part !== '')
  return (
    <div className={css.about} data-part="about">
      <b>{t(of)}</b>
      {parts.map((part) => (
        <span key={part} dir="auto">
          {part}
        </span>
      ))}
      {url && (
        <a href={url} target="_blank" rel="noreferrer">
          {new URL(url).hostname}
        </a>
      )}
    </div>
  )
}
