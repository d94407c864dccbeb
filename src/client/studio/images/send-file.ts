import { is } from 'superstruct'
import { Failure } from '../../../contract/answers.ts'
import { type AnyCall, pathOf } from '../../../contract/call.ts'
import { session } from '../../session/signed-in.ts'

const noConnection = 'There is no connection right now. Please try again in a moment'

const tell = async (answer: Response): Promise<string[]> => {
  const body: unknown = await answer.json().catch(() => null)
  return is(body, Failure) && body.errors.length > 0 ? body.errors : ['An error occurred']
}

/** Sends one file by a call that takes one as a form; null when it was taken, else why not. */
export const sendFile = async (call: AnyCall, params: object, file: File): Promise<string[] | null> => {
  const token = await session.token()
  if (!token) return ['Please log in']
  const body = new FormData()
  body.append('file', file)
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(pathOf(call, params, {}), { method: call.method, headers, body }).catch(() => null)
  if (!answer) return [noConnection]
  return answer.ok ? null : await tell(answer)
}
