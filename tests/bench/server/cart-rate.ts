import type { MutationResult } from '#contract/shapes/cart-structs.ts'
import type { Mutation } from '#domain/cart/mutation.ts'
import { readCart } from '#server/carts/store/read-cart.ts'
import { applyMutations } from '#server/carts/sync/apply-mutations.ts'
import type { CartCommand } from '#server/carts/sync/command.ts'
import { parseMutation } from '#server/carts/sync/parse-mutation.ts'
import { type BenchCustomer, openBenchCustomer, postJson } from './bench-customer.ts'
import type { BenchServer } from './bench-server.ts'
import { type ComparisonResult, compareRates } from './compare-rates.ts'
import { closeConnections, keepAliveGet } from './keep-alive-client.ts'

const assertDone = (results: readonly MutationResult[]): void => {
  const refused = results.find(({ status }) => status !== 'done')
  if (refused || results.length !== 10)
    throw new Error(`a package was not taken: ${JSON.stringify(refused ?? results)}`)
}

const parseCommands = (mutations: readonly Mutation[]): CartCommand[] =>
  mutations.map((one) => {
    const read = parseMutation(one)
    if (!('mutations' in read)) throw new Error(`a mutation could not be read: ${JSON.stringify(read)}`)
    return read
  })

const send = async ({ cartUrl, headers }: BenchCustomer, mutations: readonly Mutation[]): Promise<void> => {
  const answer = await postJson(`${cartUrl}/sync`, headers, { orderMethod: 'gallery', mutations })
  assertDone(((await answer.json()) as { data: { results: MutationResult[] } }).data.results)
}

/** `cart/sync` of ten packages into an empty cart, compared with its ten transactions alone. */
export const syncTenPackages = (server: BenchServer): Promise<ComparisonResult> =>
  compareRates({
    rounds: 15,
    ours: async () => {
      const parent = await openBenchCustomer(server)
      const mutations = parent.addTenPackages()
      return () => send(parent, mutations)
    },
    baseline: async () => {
      const parent = await openBenchCustomer(server)
      const mutations = parseCommands(parent.addTenPackages())
      return async () => assertDone(await applyMutations(server.deps, parent.cart, mutations))
    },
  })

const reads = 200
const atOnce = 8

const readRepeatedly = async (read: () => Promise<void>): Promise<void> => {
  let left = reads
  const reader = async () => {
    while (left > 0) {
      left -= 1
      await read()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, reader))
}

/** Reads of a cart with ten packages, eight at a time, compared with the SQL statement behind it. */
export const readTenPackages = async (server: BenchServer, encoding: 'identity' | 'br'): Promise<ComparisonResult> => {
  const parent = await openBenchCustomer(server)
  await send(parent, parent.addTenPackages())
  const url = `${parent.cartUrl}?orderMethod=gallery`
  const headers = { ...parent.headers, 'accept-encoding': encoding }
  const ours = () => keepAliveGet(url, headers)
  const bare = async () => {
    const cart = await readCart(server.deps.db, parent.cart, server.deps.clock())
    if (cart?.cartPackages.length !== 10) throw new Error('the cart has not its ten packages')
  }
  try {
    return await compareRates({
      rounds: 9,
      ours: async () => () => readRepeatedly(ours),
      baseline: async () => () => readRepeatedly(bare),
    })
  } finally {
    closeConnections()
  }
}
