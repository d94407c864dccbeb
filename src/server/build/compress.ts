import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const compressible = '**/*.{html,js,css,svg,json,webmanifest,ico,txt}'
/** Below this size the additional response header costs more than compression saves. */
const minBytes = 256

const brotli = (bytes: Buffer) =>
  promisify(brotliCompress)(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  })

/** Writes a `.br` and a `.gz` next to every file that they make smaller. */
export const compressAll = async (folder: string): Promise<void> => {
  const files = globSync(compressible, { cwd: folder, exclude: ['templates/**'] }).map((name) => `${folder}/${name}`)
  await Promise.all(
    files.map(async (file) => {
      if (!statSync(file).isFile()) return
      const bytes = readFileSync(file)
      if (bytes.length < minBytes) return
      const [br, gz] = await Promise.all([brotli(bytes), promisify(gzip)(bytes, { level: 9 })])
      if (br.length < bytes.length) writeFileSync(`${file}.br`, br)
      if (gz.length < bytes.length) writeFileSync(`${file}.gz`, gz)
    }),
  )
}
