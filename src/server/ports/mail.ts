export type Message = {
  /** The same key is sent once: jobs may run again. */
  readonly key: string
  /** Null where no studio writes: to administrators of the platform. */
  readonly studioId: number | null
  /** What it is about, for the log: `receipt`. */
  readonly kind: string
  readonly to: { readonly name: string; readonly email: string }
  readonly subject: string
  readonly text: string
  readonly html: string
  /** What stands in both bodies and is a key to something: it goes to who is written to, and into no log. */
  readonly secrets: readonly string[]
}

/** How mail leaves the house (section 7). */
export type Mail = { send(message: Message): Promise<void> }
