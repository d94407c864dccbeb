import { readFileSync } from 'node:fs'
import { dist } from './fingerprint.ts'

const stylesheetLink = /<link rel="stylesheet"[^>]* href="\/(assets\/[^"]+)">/g
const preloadLink = /<link rel="modulepreload"[^>]*>/g
const appScript = /<script type="module"[^>]*><\/script>/
const scriptsTemplate = '<template id="scripts">'

/**
 * Starts the scripts in the template `scripts` once the page is painted with its image, at most two seconds after the
 * page has arrived; at once if it shows nothing yet, or is in the background, where it is not painted. Until the app
 * runs, it remembers the button of a form that is submitted, so that `main.tsx` can click it again, and the button of a
 * package that is tapped in the first view, so that `SelectPackage` can continue with it. If the app does not run 20
 * seconds after the tap, the button is forgotten, and can be tapped again. If the scripts cannot be loaded, the next tap
 * reloads the page, because browsers may not request a failed module again. The first view's status says what happens.
 */
const startScripts = [
  'addEventListener("submit",({submitter})=>earlyButton=submitter)',
  'let hasFailed,timer,reset=()=>{}',
  'const say=(text)=>{const status=document.querySelector("#first-view [role=status]");if(status)status.textContent=text}',
  'const giveUp=()=>{reset();earlyButton=null;say("No connection. Please try again")}',
  'addEventListener("click",({target})=>{const button=target.closest("#first-view button")',
  'if(!button)return',
  'if(hasFailed)return navigator.onLine&&(say("Opening…"),location.reload())',
  'reset()',
  'const text=button.lastChild,label=text.textContent',
  'reset=()=>{clearTimeout(timer);text.textContent=label;button.ariaBusy=null}',
  'timer=setTimeout(giveUp,20000)',
  'text.textContent="Opening…"',
  'say("Opening…")',
  'button.ariaBusy=true',
  'earlyButton=button})',
  'addEventListener("DOMContentLoaded",()=>{const photo=document.querySelector("#first-view main img")',
  'const {content}=document.getElementById("scripts")',
  'content.lastChild.onerror=()=>{hasFailed=true;giveUp()}',
  'const start=()=>document.head.append(content)',
  'const afterPaint=()=>requestAnimationFrame(()=>requestAnimationFrame(start))',
  'if(document.hidden||!document.querySelector("h1"))return start()',
  'if(!photo||photo.complete)return afterPaint()',
  'photo.onload=photo.onerror=afterPaint',
  'setTimeout(start,2000)})',
].join(';')

/**
 * Changes the page without content so that its script starts after the first paint, if the server or the worker adds
 * content. A script in the place of the app's, because it would wait for style sheets before it.
 */
export const startAfterPaint = (page: string): string => {
  const [script] = appScript.exec(page) ?? []
  if (!script) throw new Error('The page has no script')
  return page
    .replace(script, () => `<script>${startScripts}</script>`)
    .replace('</body>', () => `${scriptsTemplate}${script}</template></body>`)
}

/**
 * Changes a page with content so that it is painted first: its styles are in the page, and the files of its screen are
 * requested with its script.
 */
export const paintFirst = (page: string): string => {
  const stylesheets = [...page.matchAll(stylesheetLink)]
  const styles = stylesheets.map(([, file]) => readFileSync(`${dist}/${file}`, 'utf8')).join('')
  // Disabled, so that the browser does not request them; listed, so that the scripts do not wait for them.
  const links = stylesheets.map(([link]) => link.replace('<link', '<link disabled')).join('')
  const preloads = [...page.matchAll(preloadLink)].join('')
  return page
    .replaceAll(stylesheetLink, '')
    .replaceAll(preloadLink, '')
    .replace('</head>', () => `<style>${styles}</style>${links}</head>`)
    .replace(scriptsTemplate, () => `${scriptsTemplate}${preloads}`)
}
