import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Upload, UploadProgress } from '#contract/studio/uploads.ts'
import { cameraImageSequence, shootCamera } from '#support/images/camera-images.ts'
import { type MemoryUse, peakResidentBytes, residentBytes } from '#support/measurement/resident-memory.ts'

/** A server's memory while the files of a shoot are uploaded. */
export type UploadMemory = MemoryUse & { files: number; seconds: number; notTaken: number }

const atOnce = 4
const job = '/api/studioadmin/studios/1/jobs/1'
const signIn = async (url: string): Promise<() => Promise<string>> => {
  let kept = { token: '', until: 0 }
  return async () => {
    if (Date.now() < kept.until) return kept.token
    const body = JSON.stringify({ username: 'owner@riverside.test', password: 'fieldproof-demo' })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${url}/api/auth/login`, { method: 'POST', headers, body })
    const { data } = (await answer.json()) as { data: { token: string } }
    kept = { token: data.token, until: Date.now() + 10 * 60_000 }
    return data.token
  }
}

/** Uploads a shoot's files to a product and samples its memory until all of them are images. */
export const measureUploads = async (
  { url, pid }: { url: string; pid: number },
  files: number,
): Promise<UploadMemory> => {
  const token = await signIn(url)
  const ask = async <Data>(path: string, body?: object): Promise<Data> => {
    const headers = { authorization: `Bearer ${await token()}`, 'content-type': 'application/json' }
    const answer = await fetch(
      `${url}${path}`,
      body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
    )
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return ((await answer.json()) as { data: Data }).data
  }
  const picture = await cameraImageSequence(shootCamera)
  const idle = residentBytes(pid)
  const began = Date.now()
  const send = async (n: number): Promise<void> => {
    const bytes = picture(n)
    const announced = [
      { fileName: `IMG_${n}.jpg`, byteSize: bytes.length, fingerprint: randomBytes(16).toString('hex') },
    ]
    const [upload] = await ask<Upload[]>(`${job}/uploads`, { files: announced })
    const headers = {
      authorization: `Bearer ${await token()}`,
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    }
    const path = `${url}${job}/upload-bytes/${upload?.key}`
    const answer = await fetch(path, { method: 'PATCH', headers, body: new Uint8Array(bytes) })
    if (answer.status !== 204) throw new Error(`file ${n}: ${answer.status} ${await answer.text()}`)
  }
  let next = 0
  const sender = async (): Promise<void> => {
    for (let n = next++; n < files; n = next++) await send(n)
  }
  let progress: UploadProgress | undefined
  const untilPictures = async (): Promise<void> => {
    do {
      await wait(500)
      progress = await ask<UploadProgress>(`${job}/upload-progress`)
    } while (progress.received + progress.receiving + progress.makingPictures > 0)
  }
  const work = async (): Promise<void> => {
    await Promise.all(Array.from({ length: atOnce }, sender))
    await untilPictures()
  }
  const peak = await peakResidentBytes(pid, work)
  const { processed = 0, refused = 0 } = progress ?? {}
  return { idle, peak, files: processed, seconds: (Date.now() - began) / 1000, notTaken: refused }
}
