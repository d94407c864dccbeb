import { formMessages, joinFieldErrors } from '#domain/shared/validators.ts'

/** One message or several, as screens and answers hand them over. */
export type Messages = string | readonly string[] | null | undefined

/** The messages that say something, in order; an empty list when there is nothing to say. */
export const asMessages = (messages: Messages): string[] =>
  (formMessages(messages)?.split('\n') ?? []).filter((line) => line.trim() !== '')

/** Several errors of one field on one line, joined with commas (section 5). */
export const joinMessages = (messages: Messages): string => joinFieldErrors(asMessages(messages)) ?? ''

/** Messages one per line (section 5); nothing at all when there are none. */
export const MessageList = ({ messages }: { messages: Messages }) => {
  const lines = asMessages(messages)
  if (lines.length < 2) return lines[0] ?? null
  return (
    <ul>
      {[...new Set(lines)].map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}
