import { OverlaysProvider } from '@blueprintjs/core'
import '@blueprintjs/core/lib/css/blueprint.css'
import './ui/theme.css'
import './ui/blueprint.css'
import './ui/overlays.css' // global styles come before every module, so that modules can override them
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { resume } from './session.ts'
import { App } from './shell/App.tsx'
import { followAccountDefaults } from './shell/preferences.ts'
import { watchForUpdates } from './shell/update.ts'
import { keepPresses } from './ui/keys.ts'
import { aroundNav } from './ui/unsaved.ts'

void resume()
followAccountDefaults()
watchForUpdates()
keepPresses()
// The only provider that we need: BlueprintProvider adds a hotkeys dialog to the first page, and ui/keys.ts
// replaces it.
createRoot(document.getElementById('root')!).render(
  <OverlaysProvider>
    <Router aroundNav={aroundNav}>
      <App />
    </Router>
  </OverlaysProvider>,
)
