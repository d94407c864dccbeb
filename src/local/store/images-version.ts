import { imagesHeader } from '#contract/shapes/responses.ts'

const listeners = new Set<(state: string) => void>()

/** Passes on the state of the session's photos that an answer of the server names; what a cache answers names none. */
export const saveImagesVersion = (headers: Headers): void => {
  const state = headers.get(imagesHeader)
  if (state !== null) for (const listener of listeners) listener(state)
}

/** Calls the listener with the state that each answer names. */
export const onImagesVersionChange = (listener: (state: string) => void): void => void listeners.add(listener)
