import { is } from 'superstruct'
import { describe, expect, test } from 'vitest'
import { Mutation } from '#contract/shapes/cart-structs.ts'
import { mutationVersion } from '#domain/cart/mutation.ts'
import { upcastAlong, upcastMutation } from '#domain/cart/upcast.ts'

describe('mutations of every version', () => {
  test('a mutation of the current version stays unchanged, including unknown keys', () => {
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
  ])('%j is not a readable mutation', (found) => expect(upcastMutation(found)).toBe('unknown-version'))

  const old = { id: '00000000-0000-4000-8000-000000000001', v: 1, at: '2027-04-01T10:00:00.000Z' }
  const key = { subjectId: 7, personId: null, orderServiceId: 3, imageLookupId: null }
  test.each([
    ['a service says no price', { do: 'service.set', ...key, personalization: null }, { price: null }],
    ['a service taken out has none', { do: 'service.remove', ...key }, {}],
    ['a quantity stays as it is', { do: 'line.quantity', lineId: old.id, quantity: 2 }, {}],
    ['an emptied cart stays as it is', { do: 'cart.clear' }, {}],
  ])('up-casts version 1: %s', (_, change, gained) => {
    const read = upcastMutation({ ...old, ...change })
    expect(read).toEqual({ ...old, ...change, ...gained, v: mutationVersion })
    expect(is(read, Mutation)).toBe(true)
  })

  test('older versions are up-cast step by step', () => {
    const chain = {
      1: ({ count, ...rest }: Record<string, unknown>) => ({ ...rest, quantity: count }),
      2: (old: Record<string, unknown>) => ({ ...old, note: '' }),
    }
    expect(upcastAlong(chain, 3, { v: 1, count: 2 })).toEqual({ v: 3, quantity: 2, note: '' })
    expect(upcastAlong(chain, 3, { v: 2, quantity: 5 })).toEqual({ v: 3, quantity: 5, note: '' })
    expect(upcastAlong({ 1: chain[1] }, 3, { v: 1, count: 2 })).toBe('unknown-version')
  })
})
