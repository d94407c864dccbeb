import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import sharp from 'sharp'
import type { Upload, UploadProgress } from '../../src/contract/studio/uploads.ts'

/** How much memory a server takes while files of a shoot arrive, in megabytes: before, and at the most. */
export type UploadMemory = { idle: number; peak: number; files: number; seconds: number; notTaken: number }

/** Sides of what cameras write, in pixels; every tenth picture of a shoot is of a large one. */
const ordinary = { width: 3000, height: 2000 }
const large = { width: 5700, height: 3800 }
const different = 50
const atOnce = 4
const job = '/api/studioadmin/studios/1/jobs/1'

const photograph = async (n: number): Promise<Buffer> => {
  const size = n % 10 === 0 ? large : ordinary
  const noise = { type: 'gaussian' as const, mean: 60 + n * 3, sigma: 20 }
  const grain = sharp({ create: { width: 600, height: 400, channels: 3, background: '#888', noise } }).png()
  return await sharp(await grain.toBuffer())
    .resize(size)
    .withExif({ IFD2: { DateTimeOriginal: `2027:04:01 09:${String(n).padStart(2, '0')}:00` } })
    .jpeg({ quality: 92 })
    .toBuffer()
}

/** What the process and its threads hold in memory, in megabytes. */
const residentOf = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024
}

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

/** Sends files of a shoot to a product and watches its process until all of them are pictures. */
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
  const pictures: Buffer[] = []
  for (let n = 0; n < different; n += 1) pictures.push(await photograph(n))
  const idle = await residentOf(pid)
  let peak = idle
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      peak = Math.max(peak, await residentOf(pid))
      await wait(50)
    }
  })()
  const began = Date.now()
  const send = async (n: number): Promise<void> => {
    // No two are the same: a shoot has six hundred pictures, not fifty.
    const bytes = Buffer.concat([pictures[n % different] ?? Buffer.alloc(0), randomBytes(16)])
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
  await Promise.all(Array.from({ length: atOnce }, sender))
  let progress = await ask<UploadProgress>(`${job}/upload-progress`)
  while (progress.received + progress.receiving + progress.makingPictures > 0) {
    await wait(500)
    progress = await ask<UploadProgress>(`${job}/upload-progress`)
  }
  isOver = true
  await watching
  return { idle, peak, files: progress.processed, seconds: (Date.now() - began) / 1000, notTaken: progress.refused }
}
