import { isWithinBudget, measureBytes } from './byte-budgets.ts'

/** Checks the byte budgets (gzip) and import cycles of the built product. Only these figures fail a build. */
for (const budget of measureBytes()) {
  const { name, value, limit, unit } = budget
  const isWithin = isWithinBudget(budget)
  process.stdout.write(
    `${isWithin ? 'ok  ' : 'OVER'} ${name}: ${value.toFixed(unit === 'KB' ? 1 : 0)} of ${limit} ${unit}\n`,
  )
  if (!isWithin) process.exitCode = 1
}
