import type { Stamp } from '#domain/cart/mutation.ts'

const hex = (byte: number): string => byte.toString(16).padStart(2, '0')

/** A random UUID (version 4). Written out because `crypto.randomUUID` is missing where a page came over plain http. */
export const randomId = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const text = Array.from(bytes, hex).join('')
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-')
}

/** The device's own clock and random ids; everything in this folder takes them as a parameter. */
export const deviceStamp: Stamp = { now: () => new Date().toISOString(), newId: randomId }
