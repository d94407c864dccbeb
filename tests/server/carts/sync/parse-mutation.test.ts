import { expect, test } from 'vitest'
import { emptyCart } from '#domain/cart/cart.ts'
import { mutationVersion } from '#domain/cart/mutation.ts'
import { parseMutation } from '#server/carts/sync/parse-mutation.ts'
import { publishedMutations } from '#support/cart-server/published-mutations.ts'

test.each(publishedMutations)(
  '$do of version $v, stored on a phone for months, is accepted',
  ({ mutation, do: what }) => {
    const told = parseMutation(mutation)
    expect(told).toMatchObject({ id: mutation.id, kind: what })
    expect('mutations' in told && told.mutations(emptyCart(1, 'gallery'))).toMatchObject([
      { v: mutationVersion, do: what },
    ])
  },
)

test.each([0, mutationVersion + 1, undefined])('a mutation of version %s is rejected alone, with what to do', (v) => {
  for (const { mutation } of publishedMutations)
    expect(parseMutation({ ...mutation, v })).toMatchObject({
      id: mutation.id,
      status: 'refused',
      problem: 'bad-request',
      errors: [expect.stringContaining('Reload the page')],
    })
})
