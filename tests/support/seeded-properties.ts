import fc from 'fast-check'
import { testSeed } from './seed.ts'

/** Properties that name no seed of their own draw by the one of the run. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: testSeed })
