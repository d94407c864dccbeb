import { forgetGrants } from '../../local/forget-grants.ts'
import { surviving } from '../../local/surviving.ts'
import { local } from './local.ts'

/** Forgets which pictures a visit that has just ended could see. */
export const forgetGrantsHere = () => surviving(local, () => forgetGrants(local))
