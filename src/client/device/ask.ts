import { navigate } from 'wouter/use-browser-location'
import { ask as askServer, onMaintenance } from '../../local/api.ts'
import type { Ask } from '../../local/ask.ts'
import { urls } from '../shell/urls.ts'
import { keepEverything } from './leaving.ts'
import { createMaintenanceGate } from './maintenance.ts'
import { reportReach } from './online.ts'

const here = () => location.pathname + location.search

const leave = () => {
  if (location.pathname !== urls.maintenance()) navigate(urls.maintenance({ from: here() }), { replace: true })
}

/** This page's way in and out of maintenance; the sender's 503 comes here too. */
export const maintenanceGate = createMaintenanceGate({ keep: keepEverything, leave })
onMaintenance(maintenanceGate.met)

/** Every call a screen makes: as typed by the contract, and the page learns from it whether the server can be reached. */
export const ask: Ask = async (call, given) => {
  const answer = await askServer(call, given)
  if (given?.signal?.aborted) return answer
  reportReach(answer.status !== 'unreachable')
  if (answer.status !== 503 && answer.status !== 'unreachable') maintenanceGate.answered()
  return answer
}
