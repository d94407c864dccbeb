import { describe, expect, test } from 'vitest'
import { upcastAlong, upcastMutation } from '../../src/domain/upcast.ts'

describe('mutations of every version', () => {
  test('one of today stays as it is, unknown keys too', () => {
    const clear = { id: 'x', v: 1, at: '2027-04-01T10:00:00.000Z', do: 'cart.clear', more: true }
    expect(upcastMutation(clear)).toEqual(clear)
  })

  test.each([null, undefined, 'text', [], {}, { v: '1' }, { v: 0 }, { v: 2 }, { v: 1.5 }, { v: Number.NaN }])(
    'not one we read: %j',
    (found) => expect(upcastMutation(found)).toBe('unknown-version'),
  )

  test('older ones walk the chain, step by step', () => {
    const chain = {
      1: ({ count, ...rest }: Record<string, unknown>) => ({ ...rest, quantity: count }),
      2: (old: Record<string, unknown>) => ({ ...old, note: '' }),
    }
    expect(upcastAlong(chain, 3, { v: 1, count: 2 })).toEqual({ v: 3, quantity: 2, note: '' })
    expect(upcastAlong(chain, 3, { v: 2, quantity: 5 })).toEqual({ v: 3, quantity: 5, note: '' })
    expect(upcastAlong({ 1: chain[1] }, 3, { v: 1, count: 2 })).toBe('unknown-version')
  })
})
