import { is } from 'superstruct'
import { describe, expect, it } from 'vitest'
import { Mutation } from '#contract/shapes/cart-structs.ts'
import { type Change, mutationVersion } from '#domain/cart/mutation.ts'
import { upcastMutation } from '#domain/cart/upcast.ts'
import { publishedMutations } from '#support/cart-server/published-mutations.ts'

/** A new kind of mutation does not compile before it is listed here and published. */
const kinds: Readonly<Record<Change['do'], true>> = {
  'line.add': true,
  'line.customise': true,
  'line.quantity': true,
  'line.remove': true,
  'line.accept': true,
  'cart.clear': true,
  'service.set': true,
  'service.remove': true,
  'person.set': true,
  'pose.set': true,
}

describe('published mutations', () => {
  it.each(Array.from({ length: mutationVersion }, (_, index) => index + 1))('exist for version %i', (v) => {
    expect(publishedMutations.filter((one) => one.v === v).length).toBeGreaterThan(0)
  })

  it('exist for every kind of the current version', () => {
    const current = publishedMutations.filter((one) => one.v === mutationVersion).map((one) => one.do)
    expect(current.sort()).toEqual(Object.keys(kinds).sort())
  })

  it.each(publishedMutations)(
    'of version $v and kind $do are up-cast to a valid mutation of the current version',
    ({ mutation, do: what }) => {
      const read = upcastMutation(mutation)
      expect(read).toMatchObject({ id: mutation.id, v: mutationVersion, do: what })
      expect(is(read, Mutation)).toBe(true)
    },
  )
})
