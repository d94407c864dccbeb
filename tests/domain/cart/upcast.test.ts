import { describe, expect, test } from 'vitest'
import { mutationVersion } from '#domain/cart/mutation.ts'
import { upcastAlong, upcastMutation } from '#domain/cart/upcast.ts'

describe('upcastMutation', () => {
  test('upcastMutation returns a mutation of the current version unchanged, including unknown keys', () => {
    const clear = { id: 'x', v: mutationVersion, at: '2027-04-01T10:00:00.000Z', do: 'cart.clear', more: true }
    expect(upcastMutation(clear)).toEqual(clear)
  })

  test.each([
    null,
    undefined,
    'text',
    [],
    {},
    { v: '1' },
    { v: 0 },
    { v: mutationVersion + 1 },
    { v: 1.5 },
    { v: Number.NaN },
  ])('upcastMutation returns unknown-version for %j', (value) => expect(upcastMutation(value)).toBe('unknown-version'))

  test('upcastAlong applies the steps of made-up older versions one after the other', () => {
    const chain = {
      1: ({ count, ...rest }: Record<string, unknown>) => ({ ...rest, quantity: count }),
      2: (old: Record<string, unknown>) => ({ ...old, note: '' }),
    }
    expect(upcastAlong(chain, 3, { v: 1, count: 2 })).toEqual({ v: 3, quantity: 2, note: '' })
    expect(upcastAlong(chain, 3, { v: 2, quantity: 5 })).toEqual({ v: 3, quantity: 5, note: '' })
    expect(upcastAlong({ 1: chain[1] }, 3, { v: 1, count: 2 })).toBe('unknown-version')
  })
})
