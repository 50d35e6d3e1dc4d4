"""Runs the test files that Canner's client is published with, those of a client with a token, against a server.

Arguments: a folder that keeps the published archive between runs, then pytest's own, such as `-k`. Standard input:
{"endpoint", "workspaceId", "token"}. The archive does not have the sample files of its tests, so they are made here."""

import csv
import json
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile

VERSION = "0.37.2"
NAME = f"canner-python-client-{VERSION}"


def archive(folder):
    """The published archive, fetched once. It says that it is for Python before 3.9, and works in newer ones."""
    path = folder / f"{NAME}.tar.gz"
    if not path.exists():
        fetch = ["download", "--quiet", "--no-deps", "--ignore-requires-python", "--dest", folder, f"canner-python-client=={VERSION}"]
        subprocess.run([sys.executable, "-m", "pip", *fetch], check=True)
    return path


def make_samples(folder):
    from PIL import Image

    folder.mkdir()
    header = ["統一編號", "公司名稱", "負責人", "公司地址", "實收資本額", "公司狀態", "產製日期"]
    rows = [[f"{n:08}", "大同股份有限公司", "林大明", "臺北市, 中山北路", n * 1000, "核准設立", "2021-01-01"] for n in range(50)]
    for name, encoding in [
        ("test_csv_sample_01_mbcs_cp950.csv", "cp950"),
        ("test_csv_sample_02_utf8_bom.csv", "utf-8-sig"),
        ("test_csv_sample_03_cp950.csv", "cp950"),
        ("test_csv_sample_04_utf8.csv", "utf-8"),
    ]:
        with open(folder / name, "w", encoding=encoding, newline="") as file:
            csv.writer(file).writerows([header, *rows])
    with open(folder / "test_json_sample.json", "w") as file:
        file.writelines(json.dumps({"id": n, "name": f"第{n}", "nested": {"ok": True}}) + "\n" for n in range(20))
    Image.new("RGB", (256, 256), (10, 200, 30)).save(folder / "test_image_sample.png")


def main():
    task = json.load(sys.stdin)
    kept = pathlib.Path(sys.argv[1])
    kept.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(archive(kept)) as whole:
            whole.extractall(folder, filter="data")
        # Without the client's own source: the tests take the one that is installed.
        tests = pathlib.Path(folder) / NAME / "tests"
        os.rename(tests, pathlib.Path(folder) / "tests")
        make_samples(pathlib.Path(folder) / "tests" / "test_sources")
        environment = {
            **os.environ,
            "ENDPOINT": task["endpoint"],
            "WORKSPACE_ID": task["workspaceId"],
            "CANNER_PERSONAL_ACCESS_TOKEN": task["token"],
        }
        # Its own configuration is none of ours: `--rootdir` and no cache keep pytest in here.
        command = [sys.executable, "-m", "pytest", "-q", "-rA", "--tb=short", "-p", "no:cacheprovider", "--rootdir", folder]
        # Tests compare small numbers by `is`, which newer Pythons warn of.
        command += ["-W", "ignore", *sys.argv[2:], "tests"]
        ended = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    print(ended.stdout)
    sys.stderr.write(ended.stderr)
    # 5: nothing was selected.
    sys.exit(ended.returncode)


if __name__ == "__main__":
    main()
