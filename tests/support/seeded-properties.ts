import fc from 'fast-check'
import { testSeed } from './seed.ts'

/** Properties without a seed of their own use the run's seed. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: testSeed })
