import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import { type BuiltClient, readBuiltClient } from '#server/http/pages/built-client.ts'

export const themeScript = 'document.documentElement.dataset.theme="light"'

const page = (body: string) =>
  `<!doctype html>\n<html lang="en"><head><title>Fieldproof</title><script>${themeScript}</script>` +
  `<script type="module" src="/assets/index-AbC123.js"></script></head><body><div id="root">${body}</div>` +
  '<script type="application/json" id="landing">null</script></body></html>'

const studio = '<p>\ue000studio-name-marker</p><a href="/studio-slug-marker/code">code</a>'

export const firstViewStyles = 'h1 { margin: 0 }'

const files: Record<string, string> = {
  'app.html': page('<!--landing-->'),
  'templates/home.html': page('<h1>Welcome to Fieldproof</h1>'),
  'templates/studio.html': page(`<i>\ue000</i>${studio}`),
  'templates/studio-logo.html': page(`<img src="/studio-logo-marker" width="900000001" height="900000002">${studio}`),
  'templates/studio-wordmark.html': page('<img src="/studio-logo-marker" alt="\ue000studio-name-marker">'),
  'templates/code/opening.html': page('\ue000studio-name-marker<h1>Opening your photos…</h1>'),
  'templates/code/job.html': page('\ue000studio-name-marker<h1>Opening \ue001job-name-marker…</h1>'),
  'templates/code/subject.html': page('\ue000studio-name-marker<h1>Opening \ue001subject-name-marker’s photos…</h1>'),
  'templates/code/photo.html': page(`<style>${firstViewStyles}</style><div id="first-view"></div>`),
  'templates/code/code-first-view.js': `export const renderFirstScreen = (screen) =>
    \`<template id="screen">\${JSON.stringify(screen).replaceAll('<', '\\\\u003c')}</template>\`\n`,
  'templates/markers.json': JSON.stringify({
    slug: 'studio-slug-marker',
    name: '\ue000studio-name-marker',
    initial: '\ue000',
    logo: '/studio-logo-marker',
    logoWidth: '900000001',
    logoHeight: '900000002',
    jobName: '\ue001job-name-marker',
    subjectName: '\ue001subject-name-marker',
  }),
  'templates/accent.js': "export const accentProperties = (hex) => (hex ? { '--studio-accent-light': hex } : {})\n",
  'assets/index-AbC123.js': `export const start = ${'1 + '.repeat(400)}1\n`,
  'assets/index-AbC123.css': 'body { margin: 0 }\n',
  'sw.js': 'self.addEventListener("install", () => {})\n',
  'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
  'build.json': '{"build":"0123456789abcdef"}',
}

/** A small build like one of `src/server/build`, removed after the test; `overrides` adds or replaces files. */
export const sampleBuild = async (overrides: Record<string, string> = {}): Promise<BuiltClient> => {
  const folder = mkdtempSync(join(tmpdir(), 'fieldproof-build-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries({ ...files, ...overrides })) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
    if (!name.startsWith('assets/index-AbC123.js')) continue
    writeFileSync(`${path}.br`, brotliCompressSync(content))
    writeFileSync(`${path}.gz`, gzipSync(content))
  }
  const client = await readBuiltClient(folder)
  if (!client) throw new Error('the sample build is incomplete')
  return client
}
