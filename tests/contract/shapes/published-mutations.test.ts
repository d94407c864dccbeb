import { is } from 'superstruct'
import { describe, expect, it } from 'vitest'
import { Mutation } from '#contract/shapes/cart-structs.ts'
import { type Change, mutationVersion } from '#domain/cart/mutation.ts'
import { upcastMutation } from '#domain/cart/upcast.ts'
import { publishedMutations } from '#support/cart-server/published-mutations.ts'

/** Every new kind needs an example as stored on a device. */
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

describe('mutations in the outboxes of installed apps', () => {
  it.each(Array.from({ length: mutationVersion }, (_, index) => index + 1))('there are examples of version %i', (v) => {
    expect(publishedMutations.filter((one) => one.v === v).length).toBeGreaterThan(0)
  })

  it('there are examples of every current kind', () => {
    const ofToday = publishedMutations.filter((one) => one.v === mutationVersion).map((one) => one.do)
    expect(ofToday.sort()).toEqual(Object.keys(kinds).sort())
  })

  it.each(publishedMutations)('$do of version $v is up-cast to the current version', ({ mutation, do: what }) => {
    const read = upcastMutation(mutation)
    expect(read).toMatchObject({ id: mutation.id, v: mutationVersion, do: what })
    expect(is(read, Mutation)).toBe(true)
  })
})
