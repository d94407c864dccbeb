import type { MutationResult } from '#contract/shapes/cart-structs.ts'
import type { Mutation } from '#domain/cart/mutation.ts'
import { readCart } from '#server/carts/store/read-cart.ts'
import { tellCart } from '#server/carts/sync/apply-mutations.ts'
import type { Told } from '#server/carts/sync/command.ts'
import { readMutation } from '#server/carts/sync/parse-mutation.ts'
import { comeIn, type Parent, post } from './bench-customer.ts'
import type { OwnServer } from './bench-server.ts'
import { compete, type Outcome } from './compare-rates.ts'
import { endConnections, getLightly } from './keep-alive-client.ts'

const assertDone = (results: readonly MutationResult[]): void => {
  const refused = results.find(({ status }) => status !== 'done')
  if (refused || results.length !== 10)
    throw new Error(`a package was not taken: ${JSON.stringify(refused ?? results)}`)
}

const told = (mutations: readonly Mutation[]): Told[] =>
  mutations.map((one) => {
    const read = readMutation(one)
    if (!('mutations' in read)) throw new Error(`a mutation could not be read: ${JSON.stringify(read)}`)
    return read
  })

const send = async ({ cartUrl, headers }: Parent, mutations: readonly Mutation[]): Promise<void> => {
  const answer = await post(`${cartUrl}/sync`, headers, { orderMethod: 'gallery', mutations })
  assertDone(((await answer.json()) as { data: { results: MutationResult[] } }).data.results)
}

/** `cart/sync` of ten packages into an empty cart, against its ten transactions alone. */
export const syncTenPackages = (server: OwnServer): Promise<Outcome> =>
  compete({
    rounds: 15,
    ours: async () => {
      const parent = await comeIn(server)
      const mutations = parent.tenPackages()
      return () => send(parent, mutations)
    },
    bare: async () => {
      const parent = await comeIn(server)
      const mutations = told(parent.tenPackages())
      return async () => assertDone(await tellCart(server.deps, parent.whose, mutations))
    },
  })

const reads = 200
const atOnce = 8

const many = async (read: () => Promise<void>): Promise<void> => {
  let left = reads
  const reader = async () => {
    while (left > 0) {
      left -= 1
      await read()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, reader))
}

/** The reading of a cart with ten packages, eight at a time, against the statement it rests on. */
export const readTenPackages = async (server: OwnServer, encoding: 'identity' | 'br'): Promise<Outcome> => {
  const parent = await comeIn(server)
  await send(parent, parent.tenPackages())
  const url = `${parent.cartUrl}?orderMethod=gallery`
  const headers = { ...parent.headers, 'accept-encoding': encoding }
  const ours = () => getLightly(url, headers)
  const bare = async () => {
    const cart = await readCart(server.deps.db, parent.whose, server.deps.clock())
    if (cart?.cartPackages.length !== 10) throw new Error('the cart has not its ten packages')
  }
  try {
    return await compete({ rounds: 9, ours: async () => () => many(ours), bare: async () => () => many(bare) })
  } finally {
    endConnections()
  }
}
