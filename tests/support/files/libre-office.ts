import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import papaparse from 'papaparse'

/** Comma, double quote, UTF-8, from the first line on; texts as they are shown in the cells. */
const csvFilter = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true'

const convert = (folder: string, files: readonly string[]): void => {
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
  try {
    execFileSync('soffice', [profile, '--headless', '--convert-to', csvFilter, '--outdir', folder, ...files], {
      stdio: 'pipe',
    })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    throw new Error('LibreOffice is not installed: install the Debian package libreoffice-calc-nogui (command soffice)')
  }
}

/** The cells of XLSX files, as LibreOffice shows them. */
export const readWithLibreOffice = async (files: readonly Uint8Array[]): Promise<string[][][]> => {
  const folder = await mkdtemp(join(tmpdir(), 'libre-office-'))
  try {
    const names = files.map((_, index) => join(folder, `table-${index}`))
    for (const [index, file] of files.entries()) await writeFile(`${names[index]}.xlsx`, file)
    convert(
      folder,
      names.map((name) => `${name}.xlsx`),
    )
    const texts = await Promise.all(names.map((name) => readFile(`${name}.csv`, 'utf8')))
    return texts.map((text) => papaparse.parse<string[]>(text.replace(/^\uFEFF/, ''), { skipEmptyLines: true }).data)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
