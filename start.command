#!/bin/bash
# 按兩下就打開遊戲（macOS、Linux）。Double-click to open the games; what follows the name goes to `coursekit serve`.
cd "$(dirname "$0")" || exit

stop() {
  printf '\n%s\n%s\n' "$1" "$2" >&2
  [ -t 0 ] && read -r -p '按 Enter 關閉 · Press Enter to close '
  exit 1
}

if [ ! -x .venv/bin/coursekit ]; then
  python=$(command -v python3) ||
    stop '找不到 Python。請到 https://www.python.org/downloads/ 安裝 3.11 以上，再按兩下這個檔案。' \
      'Python is not installed. Get 3.11 or newer from https://www.python.org/downloads/, then open this file again.'
  "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    stop "這台電腦的 $("$python" --version) 太舊。請到 https://www.python.org/downloads/ 安裝 3.11 以上，再按兩下這個檔案。" \
      "$("$python" --version) is too old. Get 3.11 or newer from https://www.python.org/downloads/, then open this file again."
  echo '第一次要安裝，需要網路和幾分鐘（約 500 MB）。· The first time installs about 500 MB: some minutes, with a network.'
  { "$python" -m venv .venv && .venv/bin/pip install -q -c constraints.txt -e '.[lab]'; } ||
    stop '沒有裝好，原因在上面。網路通了以後，再按兩下這個檔案。' \
      'It could not be installed; the reason stands above. Open this file again once there is a network.'
fi
.venv/bin/coursekit serve "$@" || stop '沒有打開，原因在上面。' 'It did not open; the reason stands above.'
