import { is } from 'superstruct'
import { describe, expect, it } from 'vitest'
import { Mutation } from '#contract/shapes/cart-structs.ts'
import { mutationVersion } from '#domain/cart/mutation.ts'
import { upcastMutation } from '#domain/cart/upcast.ts'
import { publishedMutations } from '#support/cart-server/published-mutations.ts'

describe('published mutations', () => {
  it.each(Array.from({ length: mutationVersion }, (_, index) => index + 1))(
    'published mutations exist for version %i',
    (v) => {
      expect(publishedMutations.filter((published) => published.v === v).length).toBeGreaterThan(0)
    },
  )

  it.each(publishedMutations)(
    'a published mutation of version $v and kind $do is up-cast to a valid mutation of the current version',
    ({ mutation, do: kind }) => {
      const upcast = upcastMutation(mutation)
      expect(upcast).toMatchObject({ id: mutation.id, v: mutationVersion, do: kind })
      expect(is(upcast, Mutation)).toBe(true)
    },
  )
})
