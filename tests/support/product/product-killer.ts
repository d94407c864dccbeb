import type { RestartableProduct } from './restartable-product.ts'

/** Kills and restarts a product that several phones use. Simultaneous calls kill it only once. */
export const createProductKiller = (
  product: RestartableProduct,
): { kill: () => Promise<void>; settled: () => Promise<void> } => {
  let restarting: Promise<void> | undefined
  const kill = (): Promise<void> => {
    restarting ??= product
      .kill()
      .then(() => product.start())
      .finally(() => {
        restarting = undefined
      })
    return restarting
  }
  return { kill, settled: async () => restarting }
}
