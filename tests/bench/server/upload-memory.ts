import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Upload, UploadProgress } from '#contract/studio/uploads.ts'
import { cameraImageSequence, shootCamera } from '#support/images/camera-images.ts'
import { type MemoryUse, peakResidentBytes, residentBytes } from '#support/measurement/resident-memory.ts'

/** A server's memory while the files of a shoot are uploaded. */
export type UploadMemory = MemoryUse & { files: number; seconds: number }

const concurrency = 4
const job = '/api/studioadmin/studios/1/jobs/1'
const signIn = async (url: string): Promise<() => Promise<string>> => {
  let storedToken = { token: '', until: 0 }
  return async () => {
    if (Date.now() < storedToken.until) return storedToken.token
    const body = JSON.stringify({ username: 'owner@riverside.test', password: 'fieldproof-demo' })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${url}/api/auth/login`, { method: 'POST', headers, body })
    const { data } = (await response.json()) as { data: { token: string } }
    storedToken = { token: data.token, until: Date.now() + 10 * 60_000 }
    return data.token
  }
}

/** Uploads a shoot's files to a product and samples its memory until all of them are images. */
export const measureUploads = async (
  { url, pid }: { url: string; pid: number },
  files: number,
): Promise<UploadMemory> => {
  const token = await signIn(url)
  const callApi = async <Data>(path: string, body?: object): Promise<Data> => {
    const headers = { authorization: `Bearer ${await token()}`, 'content-type': 'application/json' }
    const response = await fetch(
      `${url}${path}`,
      body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
    )
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return ((await response.json()) as { data: Data }).data
  }
  const createImage = await cameraImageSequence(shootCamera)
  const idle = residentBytes(pid)
  const startedAt = Date.now()
  const uploadFile = async (number: number): Promise<void> => {
    const bytes = createImage(number)
    const announcedFiles = [
      { fileName: `IMG_${number}.jpg`, byteSize: bytes.length, fingerprint: randomBytes(16).toString('hex') },
    ]
    const [upload] = await callApi<Upload[]>(`${job}/uploads`, { files: announcedFiles })
    const headers = {
      authorization: `Bearer ${await token()}`,
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    }
    const path = `${url}${job}/upload-bytes/${upload?.key}`
    const response = await fetch(path, { method: 'PATCH', headers, body: new Uint8Array(bytes) })
    if (response.status !== 204) throw new Error(`file ${number}: ${response.status} ${await response.text()}`)
  }
  let nextNumber = 0
  const uploadRemaining = async (): Promise<void> => {
    for (let number = nextNumber++; number < files; number = nextNumber++) await uploadFile(number)
  }
  let progress: UploadProgress | undefined
  const waitUntilProcessed = async (): Promise<void> => {
    do {
      await wait(500)
      progress = await callApi<UploadProgress>(`${job}/upload-progress`)
    } while (progress.received + progress.receiving + progress.makingPictures > 0)
  }
  const work = async (): Promise<void> => {
    await Promise.all(Array.from({ length: concurrency }, uploadRemaining))
    await waitUntilProcessed()
  }
  const peak = await peakResidentBytes(pid, work)
  return { idle, peak, files: progress?.processed ?? 0, seconds: (Date.now() - startedAt) / 1000 }
}
