/** Extensions of files that run code when a person opens them, in a browser or on the desktop. */
const riskyEndings = new Set(
  [
    'app appimage appinstaller appref-ms appx appxbundle apk apks aab xapk bat bin chm cmd com command cpl crx deb desktop dll dmg',
    'docm dotm elf exe gadget hlp hta htm html htc inf ins iqy img iso jar jnlp js jse jsp lnk mde mht mhtml mjs msc msi msix msp mst',
    'ocx one osx out pif pkg php pl potm ppam ppsm pptm ps1 ps1xml psd1 psm1 py pyc pyw rb rdp reg rpm run scf scr sct service sh shb',
    'shs shtml slk svg svgz swf sys url vb vbe vbs vhd vhdx wasm website workflow ws wsc wsf wsh xbap xht xhtml xlam xll xlsm xltm xsl xslt',
  ].flatMap((line) => line.split(' ')),
)
const riskyTypes =
  /^(text\/html|image\/svg\+xml|application\/(x-msdownload|x-elf|x-mach-binary|x-apple-diskimage|java-archive|java-vm|vnd\.android\.package-archive|vnd\.ms-\w+\.\w+\.macroenabled\.12|x-shockwave-flash|wasm|x-msi|x-google-chrome-extension|x-deb|x-rpm))$/i

/** The extension without the dot, in lower case; empty if there is none. `2` in `Report 1.2` is none. */
export const endingOf = (name: string): string => /\.(\d?[a-z][\w-]{0,10})$/i.exec(name)?.[1]?.toLowerCase() ?? ''

/** Whether a file with this name runs code when it is opened. */
export const isRiskyName = (name: string): boolean => riskyEndings.has(endingOf(name))

/** Whether a file runs code when a person opens it, by its name or by its content. */
export const isRiskyFile = ({ name, mime }: { name: string; mime: string }): boolean => isRiskyName(name) || riskyTypes.test(mime)
