import { expect, test } from 'vitest'
import { emptyCart } from '#domain/cart/cart.ts'
import { mutationVersion } from '#domain/cart/mutation.ts'
import { parseMutation } from '#server/carts/sync/parse-mutation.ts'
import { publishedMutations } from '#support/cart-server/published-mutations.ts'

test.each(publishedMutations)(
  'the mutation $do of version $v, stored on a phone for months, is accepted and converted to the current version',
  ({ mutation, do: kind }) => {
    const command = parseMutation(mutation)
    expect(command).toMatchObject({ id: mutation.id, kind })
    expect('mutations' in command && command.mutations(emptyCart(1, 'gallery'))).toMatchObject([
      { v: mutationVersion, do: kind },
    ])
  },
)

test.each([0, mutationVersion + 1, undefined])(
  'a mutation of version %s is rejected with the advice to reload the page',
  (v) => {
    for (const { mutation } of publishedMutations)
      expect(parseMutation({ ...mutation, v })).toMatchObject({
        id: mutation.id,
        status: 'refused',
        problem: 'bad-request',
        errors: [expect.stringContaining('Reload the page')],
      })
  },
)
