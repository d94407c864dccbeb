export const answer = async (input: number): Promise<{ answer: number }> => ({ answer: input })

export const runForEver = async (): Promise<void> => {
  for (;;) Math.sqrt(2)
}

export const takeMemory = async (): Promise<number> => {
  const taken: string[][] = []
  for (let at = 0; ; at += 1) taken.push(Array.from({ length: 1000 }, (_, n) => `${at} ${n}`))
}

export const fail = async (): Promise<void> => {
  throw new Error('a fault of ours')
}
