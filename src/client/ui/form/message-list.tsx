import { formMessages, joinFieldErrors } from '#domain/shared/validators.ts'

/** One message or several, as components and responses provide them. */
export type Messages = string | readonly string[] | null | undefined

/** The non-empty messages in order; an empty list if there are none. */
export const asMessages = (messages: Messages): string[] =>
  (formMessages(messages)?.split('\n') ?? []).filter((line) => line.trim() !== '')

/** Joins the errors of one field with commas (section 5). */
export const joinMessages = (messages: Messages): string => joinFieldErrors(asMessages(messages)) ?? ''

/** Messages, one per line (section 5); renders nothing if there are none. */
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
